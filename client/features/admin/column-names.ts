import { useTexts } from '../../lib/texts/texts.ts'
import { consoleTexts } from '../timeline/console.texts.ts'
import { organizationsTexts } from './organizations.texts.ts'
import { adminTexts } from './texts.ts'

/** The names of values that only records of the console have: of users, of organizations, of filters. */
export function useColumnNames(): Record<string, string> {
  const t = useTexts(adminTexts)
  const { columns } = useTexts(consoleTexts)
  const { slug } = useTexts(organizationsTexts)
  return { ...columns, ...t.columns, organization: t.organization, slug }
}
