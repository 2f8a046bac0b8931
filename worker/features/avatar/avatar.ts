import { Buffer } from 'node:buffer'
import { recordUser } from '../../identity/events/record.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { refreshSessionCookies } from '../../identity/sessions/sessions.ts'
import { basePath } from '../../identity/settings.ts'
import { coreErrors as core } from '../../identity/users/users.errors.ts'
import { askToChange, userChanged } from '../../identity/users/users.ts'
import { randomString } from '../../kit/random.ts'
import { avatarErrors as errors } from './avatar.errors.ts'
import { findAvatar, replaceAvatar } from './avatar.store.ts'
import { webpSize } from './webp.ts'

const largest = { bytes: 32 * 1024, pixels: 256 }

/**
 * Takes a picture of the caller. What it is its bytes say, not its sender.
 * @param webp base64
 * @returns the address that the user's `image` now holds
 * @throws NOT_A_PICTURE, PICTURE_TOO_LARGE
 */
export async function uploadAvatar(scope: Scope, caller: Caller, webp: string): Promise<string> {
  const bytes = Buffer.from(webp, 'base64')
  if (bytes.length > largest.bytes) throw errors.PICTURE_TOO_LARGE()
  const size = webpSize(bytes)
  if (!size) throw errors.NOT_A_PICTURE()
  if (size.width > largest.pixels || size.height > largest.pixels) throw errors.PICTURE_TOO_LARGE()
  const name = randomString(32)
  const image = `${scope.settings.baseUrl}${basePath}/avatar/${name}.webp`
  await askToChange(scope, caller.user, { image })
  const picture = { userId: caller.user.id, name, bytes, createdAt: scope.now() }
  const user = await replaceAvatar(scope.db, picture, image, recordUser(scope, 'user.updated', picture.userId))
  if (!user) throw core.FAILED_TO_UPDATE_USER()
  refreshSessionCookies(scope, caller, user)
  await userChanged(scope, user)
  return image
}

/** A picture for whoever has its address. @throws NOT_FOUND */
export async function readAvatar(scope: Scope, name: string): Promise<Response> {
  const bytes = await findAvatar(scope.db, name.replace(/\.webp$/, ''))
  if (!bytes) throw errors.NOT_FOUND()
  return new Response(new Uint8Array(bytes), {
    headers: {
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      // Products at other origins show their people too.
      'cross-origin-resource-policy': 'cross-origin',
    },
  })
}
