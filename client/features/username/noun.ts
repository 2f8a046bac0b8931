import { defineTexts } from '../../lib/texts/define.ts'

/** What the first field of the sign-in form calls it. */
export const noun = defineTexts('username', 'Benutzername')
