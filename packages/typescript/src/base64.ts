// Bytes as text. Buffers of Node are several times as fast as what every platform has.
interface NodeBuffer { toString(encoding: "base64"): string }
interface Buffers {
  from(text: string, encoding: "base64"): Uint8Array;
  from(buffer: ArrayBufferLike, offset: number, length: number): NodeBuffer;
}
const buffers = (globalThis as { Buffer?: Buffers }).Buffer;

export function encodeBase64(bytes: Uint8Array): string {
  if (buffers) return buffers.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("base64");
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  // A buffer may be a part of a pool that others share; the program gets bytes of its own.
  if (buffers) return new Uint8Array(buffers.from(text, "base64"));
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
