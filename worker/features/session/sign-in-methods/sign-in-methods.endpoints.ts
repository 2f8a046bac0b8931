import { defineEndpoints } from '../../../http/feature.ts'
import { reading, routes } from '../../../http/routes.ts'
import { pageOf } from '../../../kit/page.ts'
import { signInMethodsContract } from './sign-in-methods.contract.ts'
import { listMethods } from './sign-in-methods.store.ts'

export const signInMethodsEndpoints = defineEndpoints({
  routes: routes(signInMethodsContract, {
    listSignInMethods: reading(
      ({ scope, own, query }) => ({ methods: listMethods(scope.db, own.userId, pageOf(query)) }),
      (_call, { methods }) => methods,
    ),
  }),
})
