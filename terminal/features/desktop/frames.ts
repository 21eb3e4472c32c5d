/** The frames around the page in the desktop app and in an Android app. */
export { FrameWithBridge } from "./frame-with-bridge.tsx";
export { WrapperFrame } from "./wrapper-frame.tsx";
