import { Buffer } from 'node:buffer'

/** A value in DER (ITU-T X.690, section 8). */
export function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
