// Base58 of web3.js in tests, which write and read the same few keys a million times: without this, a quarter of the time of the review's tests.
import bs58 from 'bs58';

/** More are forgotten, all at once: a model makes ever other keys. */
const MOST = 20_000;
const texts = new Map();
const bytes = new Map();

function keep(map, key, value) {
  if (map.size >= MOST) map.clear();
  map.set(key, value);
  return value;
}

export default {
  encode(value) {
    if (!(value instanceof Uint8Array)) return bs58.encode(value);
    const key = Buffer.from(value.buffer, value.byteOffset, value.byteLength).latin1Slice();
    return texts.get(key) ?? keep(texts, key, bs58.encode(value));
  },
  // A copy: the caller may write to it.
  decode: (text) => Buffer.from(bytes.get(text) ?? keep(bytes, text, bs58.decode(text))),
};
