import { Buffer } from 'node:buffer'

/** The header of a lossless WebP image with a size. All bytes after it are zero. */
export function picture(width: number, height = width, { length = 64 } = {}): string {
  const bytes = Buffer.alloc(length)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(length - 8, 4)
  bytes.write('WEBPVP8L', 8, 'latin1')
  bytes[20] = 0x2f
  bytes.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 21)
  return bytes.toString('base64')
}
