import { pictureName, readPicture, servePicture } from '../../identity/pictures/pictures.ts'
import type { Caller, Scope } from '../../identity/scope.ts'
import { basePath } from '../../identity/settings.ts'
import { unitOfWork } from '../../identity/unit-of-work.ts'
import { randomString } from '../../kit/random.ts'
import { findLogo, upsertLogo } from './logo.store.ts'
import { rolesUnchanged } from './model/membership.store.ts'
import type { Organization } from './model/organizations.table.ts'
import { organizationErrors as errors } from './organization.errors.ts'
import { changeOrganization } from './organization.store.ts'
import { requireUpdater } from './organization.ts'

/** Stores a logo of an organization. @param webp base64 @returns the organization, whose `logo` is the address */
export async function uploadLogo(
  scope: Scope,
  caller: Caller,
  { organizationId, webp }: { organizationId?: string | null | undefined; webp: string },
): Promise<Organization> {
  const bytes = readPicture(webp)
  const { member, organization } = await requireUpdater(scope, caller, organizationId ?? undefined)
  const name = randomString(32)
  const logo = `${scope.settings.baseUrl}${basePath}/organization/logo/${name}.webp`
  const work = unitOfWork(scope)
  work.require(rolesUnchanged(member), errors.YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION)
  work.run(upsertLogo(scope.db, { organizationId: organization.id, name, bytes, createdAt: scope.now() }))
  const updated = changeOrganization(scope, work, organization.id, { logo })
  await work.commit()
  return updated.row!
}

/** @throws NOT_FOUND */
export const readLogo = async (scope: Scope, file: string): Promise<Response> =>
  servePicture(await findLogo(scope.db, pictureName(file)))
