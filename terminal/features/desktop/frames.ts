/** What is around the page in an app: the desktop app's, and an Android app's. */
export { FrameWithBridge } from "./frame-with-bridge.tsx";
export { WrapperFrame } from "./wrapper-frame.tsx";
