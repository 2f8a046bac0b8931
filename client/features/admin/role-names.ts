import { splitRoles } from '../../../worker/kit/permissions.ts'
import { inList } from '../../lib/in-list.ts'
import { useLanguage, useTexts } from '../../lib/texts/texts.ts'
import { consoleTexts } from '../timeline/console.texts.ts'

/** The names of roles of the whole application. Roles of the configuration have no translation. */
export function useRoleNames() {
  const { roleNames } = useTexts(consoleTexts)
  const language = useLanguage()
  const one = (role: string): string => (Object.hasOwn(roleNames, role) ? roleNames[role]! : role)
  return {
    one,
    all: (roles: string | null | undefined) => inList(splitRoles(roles ?? '').map(one), language),
  }
}
