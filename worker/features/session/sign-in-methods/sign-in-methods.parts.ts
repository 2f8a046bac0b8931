import { defineParts } from '../../../http/feature.ts'
import { noteSignIn } from './sign-in-methods.steps.ts'
import { lastUse, listMethods } from './sign-in-methods.store.ts'

export const signInMethodsParts = defineParts({
  steps: {
    sessionIssued: noteSignIn,
  },
  aboutUser: { signInMethods: ({ db }, userId) => listMethods(db, userId) },
  wayIn: { lastUse: lastUse },
})
