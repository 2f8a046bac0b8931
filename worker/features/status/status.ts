import type { Scope } from '../../identity/scope.ts'
import { emailAndPasswordOptions, userOptions } from '../../identity/settings.ts'

/** What anybody may know of the configuration. */
export function publicConfig(scope: Scope) {
  const { appName, environment } = scope.settings
  const password = emailAndPasswordOptions.of(scope)
  const user = userOptions.of(scope)
  return {
    name: appName,
    development: environment === 'development',
    passwordLength: { min: password.minPasswordLength, max: password.maxPasswordLength },
    features: {
      signUp: password.enabled && !password.disableSignUp,
      emailAndPassword: password.enabled,
      changeEmail: user.changeEmail.enabled,
      deleteUser: user.deleteUser.enabled,
    },
    ...Object.assign({}, ...scope.lifecycle.publicFeatures.map((tell) => tell(scope))),
  }
}
