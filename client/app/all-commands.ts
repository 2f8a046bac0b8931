import { mayDo } from '../../worker/kit/permissions.ts'
import type { Config } from '../lib/api.ts'
import type { User } from '../lib/auth/endpoints.ts'
import type { CommandEntry } from '../lib/commands.ts'
import { administersAnything, administratorMay } from '../lib/permissions.ts'
import type { Membership } from './sections.ts'

const ofFeatures = import.meta.glob<CommandEntry[]>('../features/*/commands.ts', { eager: true, import: 'default' })

export const allCommands: readonly CommandEntry[] = Object.values(ofFeatures).flat()

/** The commands that a user sees. The server decides what they may do. */
export function commandsFor(
  config: Config,
  user: User,
  member: Membership | null,
  isImpersonated: boolean,
): CommandEntry[] {
  const roles = config.admin?.roles ?? {}
  const role = user.role ?? ''
  return allCommands.filter(
    ({ on, permission, memberPermission, when, to, forAll }) =>
      [on ?? []].flat().every((name) => config.features[name]) &&
      (!memberPermission || (member !== null && mayDo(member.roles, member.role, memberPermission))) &&
      (!permission || (administersAnything(roles, role) && administratorMay(roles, role, permission))) &&
      (!isImpersonated || forAll || groupOf(to) !== 'account') &&
      (!when || when(config, user)),
  )
}

/** The group of the navigation. */
export const groupOf = (to: string) =>
  /^\/organization/.test(to)
    ? 'organization'
    : /^\/developers/.test(to)
      ? 'developers'
      : /^\/admin/.test(to)
        ? 'admin'
        : 'account'
