const FINAL_TEXT = 0x81;
const LENGTH_IN_16_BITS = 126;
const LENGTH_IN_64_BITS = 127;

/** Encodes a text as one whole WebSocket server frame (RFC 6455, 5.2), which any number of sockets can send. */
export function rawFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const headerBytes = length < LENGTH_IN_16_BITS ? 2 : length < 2 ** 16 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerBytes + length);
  frame[0] = FINAL_TEXT;
  if (headerBytes === 2) {
    frame[1] = length;
  } else if (headerBytes === 4) {
    frame[1] = LENGTH_IN_16_BITS;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = LENGTH_IN_64_BITS;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, headerBytes);
  return frame;
}
