import { askToChange } from '../../../identity/accounts/users.ts'
import { pictureName, readPicture, servePicture } from '../../../identity/pictures/pictures.ts'
import type { Caller, Scope } from '../../../identity/scope.ts'
import { refreshSessionCookies } from '../../../identity/sessions/sessions.ts'
import { basePath } from '../../../identity/settings.ts'
import { unitOfWork } from '../../../identity/unit-of-work.ts'
import { announceUser } from '../../../identity/users/announce.ts'
import { coreErrors as core } from '../../../identity/users/users.errors.ts'
import { randomString } from '../../../kit/random.ts'
import { findAvatar, setImage, upsertAvatar } from './avatar.store.ts'

/** Stores a picture of the caller. @param webp base64 @returns the address in `image` */
export async function uploadAvatar(scope: Scope, caller: Caller, webp: string): Promise<string> {
  const bytes = readPicture(webp)
  const name = randomString(32)
  const image = `${scope.settings.baseUrl}${basePath}/avatar/${name}.webp`
  await askToChange(scope, caller.user, { image })
  const picture = { userId: caller.user.id, name, bytes, createdAt: scope.now() }
  const work = unitOfWork(scope)
  work.run(upsertAvatar(scope.db, picture))
  const update = work.run(setImage(scope.db, picture, image)).orFail(core.FAILED_TO_UPDATE_USER)
  announceUser(scope, work, 'user.updated', picture.userId, () => update.rows)
  await work.commit(() => refreshSessionCookies(scope, caller, update.row))
  return image
}

/** @throws NOT_FOUND */
export const readAvatar = async (scope: Scope, file: string): Promise<Response> =>
  servePicture(await findAvatar(scope.db, pictureName(file)))
