import { Buffer } from 'node:buffer'
import { webpSize } from '../../kit/webp.ts'
import { pictureErrors as errors } from './pictures.errors.ts'

const largest = { bytes: 32 * 1024, pixels: 256 }

/** An uploaded picture, whose bytes decide its type. @param webp base64 @throws NOT_A_PICTURE, PICTURE_TOO_LARGE */
export function readPicture(webp: string): Buffer {
  const bytes = Buffer.from(webp, 'base64')
  if (bytes.length > largest.bytes) throw errors.PICTURE_TOO_LARGE()
  const size = webpSize(bytes)
  if (!size) throw errors.NOT_A_PICTURE()
  if (size.width > largest.pixels || size.height > largest.pixels) throw errors.PICTURE_TOO_LARGE()
  return bytes
}

/** The picture at the end of an address: its name, without the extension. */
export const pictureName = (file: string): string => file.replace(/\.webp$/, '')

/** Returns a picture to any client that has its unguessable address. @throws NOT_FOUND */
export function servePicture(bytes: Buffer | null): Response {
  if (!bytes) throw errors.NOT_FOUND()
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      // Products at other origins show the pictures too.
      'cross-origin-resource-policy': 'cross-origin',
    },
  })
}
