import type { Buffer } from 'node:buffer'

/** Width and height of an image in pixels. */
export interface Size {
  width: number
  height: number
}

/** The size of a WebP picture from its first chunk, `VP8 `, `VP8L` or `VP8X` (RFC 9649, section 2); null otherwise. */
export function webpSize(bytes: Buffer): Size | null {
  if (bytes.length < 30) return null
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null
  // The container stores its length: the bytes after these eight, padded to an even number.
  if (bytes.readUInt32LE(4) + 8 > bytes.length + 1) return null
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ': {
      // A key frame begins with its start code (RFC 6386, section 9.1).
      if (bytes.readUIntBE(23, 3) !== 0x9d012a) return null
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    }
    case 'VP8L': {
      if (bytes[20] !== 0x2f) return null
      const packed = bytes.readUInt32LE(21)
      return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
    default:
      return null
  }
}
