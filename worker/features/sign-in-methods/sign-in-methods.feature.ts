import { defineFeature } from '../../http/feature.ts'
import { signInMethodsRoutes } from './sign-in-methods.routes.ts'

export const signInMethods = defineFeature({
  name: 'sign-in-methods',
  routes: signInMethodsRoutes,
  publicConfiguration: () => ({ features: { signInMethods: true } }),
})
