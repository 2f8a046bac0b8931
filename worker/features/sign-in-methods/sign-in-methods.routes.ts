import { reading, routes } from '../../http/routes.ts'
import { signInMethodsContract } from './sign-in-methods.contract.ts'
import { listMethods } from './sign-in-methods.store.ts'

export const signInMethodsRoutes = routes(signInMethodsContract, {
  listSignInMethods: reading(
    ({ scope, own }) => [listMethods(scope.db, own.userId)],
    (_call, [methods]) => methods,
  ),
})
