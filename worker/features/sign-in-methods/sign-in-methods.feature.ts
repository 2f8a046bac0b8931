import { defineFeature } from '../../http/feature.ts'
import { reading, routes } from '../../http/routes.ts'
import { pageOf } from '../../kit/page.ts'
import { type PublicConfiguration, signInMethodsContract } from './sign-in-methods.contract.ts'
import { noteSignIn } from './sign-in-methods.steps.ts'
import { lastUse, listMethods } from './sign-in-methods.store.ts'

export const signInMethods = defineFeature({
  name: 'sign-in-methods',
  steps: {
    sessionIssued: noteSignIn,
  },
  routes: routes(signInMethodsContract, {
    listSignInMethods: reading(
      ({ scope, own, query }) => ({ methods: listMethods(scope.db, own.userId, pageOf(query)) }),
      (_call, { methods }) => methods,
    ),
  }),
  aboutUser: { signInMethods: ({ db }, userId) => listMethods(db, userId) },
  lastSignIn: lastUse,
  publicConfiguration: (): PublicConfiguration => ({ features: { signInMethods: true } }),
})
