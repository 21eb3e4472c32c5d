// BLAKE2b (RFC 7693) with a free output length, unkeyed. node:crypto has only the 64-byte form, and a minisign key file
// carries a 32-byte one as its checksum. Written by hand for that; checked against node:crypto at 64 bytes.
const mask = (1n << 64n) - 1n;
const iv = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
] as const;
const sigma = [
  "0123456789abcdef",
  "ea489fd61c02b753",
  "b8c052fdae367194",
  "7931dcbe265a40f8",
  "905724afe1bc683d",
  "2c6a0b834d75fe19",
  "c51fed4a0763928b",
  "db7ec13950f4862a",
  "6fe9b308c2d714a5",
  "a2847615fb9e3cd0",
  "0123456789abcdef",
  "ea489fd61c02b753",
].map((row) => row.split("").map((digit) => Number.parseInt(digit, 16)));

export function blake2b(input: Uint8Array, outputBytes: number): Buffer {
  const state = new BigUint64Array(iv);
  state[0] = at(state, 0) ^ 0x01010000n ^ BigInt(outputBytes);
  const blocks = Math.max(1, Math.ceil(input.length / 128));
  for (let block = 0; block < blocks; block += 1) {
    const words = Buffer.alloc(128);
    words.set(input.subarray(block * 128, block * 128 + 128));
    compress(state, words, BigInt(Math.min(input.length, (block + 1) * 128)), block === blocks - 1);
  }
  const output = Buffer.alloc(64);
  state.forEach((word, index) => output.writeBigUInt64LE(word, index * 8));
  return output.subarray(0, outputBytes);
}

function compress(state: BigUint64Array, block: Buffer, counter: bigint, last: boolean): void {
  const words = Array.from({ length: 16 }, (_, index) => block.readBigUInt64LE(index * 8));
  const v = new BigUint64Array([...state, ...iv]);
  v[12] = at(v, 12) ^ (counter & mask);
  if (last) v[14] = at(v, 14) ^ mask;
  const mix = (a: number, b: number, c: number, d: number, x = 0n, y = 0n) => {
    v[a] = at(v, a) + at(v, b) + x;
    v[d] = rotate(at(v, d) ^ at(v, a), 32n);
    v[c] = at(v, c) + at(v, d);
    v[b] = rotate(at(v, b) ^ at(v, c), 24n);
    v[a] = at(v, a) + at(v, b) + y;
    v[d] = rotate(at(v, d) ^ at(v, a), 16n);
    v[c] = at(v, c) + at(v, d);
    v[b] = rotate(at(v, b) ^ at(v, c), 63n);
  };
  for (const row of sigma) {
    const word = (index: number) => words[row[index] ?? 0];
    for (let column = 0; column < 4; column += 1)
      mix(column, 4 + column, 8 + column, 12 + column, word(2 * column), word(2 * column + 1));
    for (let turn = 0; turn < 4; turn += 1) {
      mix(
        turn,
        4 + ((turn + 1) % 4),
        8 + ((turn + 2) % 4),
        12 + ((turn + 3) % 4),
        word(8 + 2 * turn),
        word(9 + 2 * turn),
      );
    }
  }
  for (let index = 0; index < 8; index += 1) state[index] = at(state, index) ^ at(v, index) ^ at(v, index + 8);
}

function rotate(word: bigint, bits: bigint): bigint {
  return ((word >> bits) | (word << (64n - bits))) & mask;
}

function at(words: BigUint64Array, index: number): bigint {
  return words[index] ?? 0n;
}
