import type { Scope } from '../../identity/scope.ts'
import { emailAndPasswordOptions, emailVerificationOptions, userOptions } from '../../identity/settings.ts'
import { fieldsOfForms } from '../../identity/users/additional-fields.ts'
import { mergeOptions } from '../../kit/options.ts'

/** What anybody may know of the configuration. */
export function publicConfig(scope: Scope) {
  const { appName, environment } = scope.settings
  const password = emailAndPasswordOptions.of(scope)
  const user = userOptions.of(scope)
  const verification = emailVerificationOptions.of(scope)
  const ownSettings = {
    name: appName,
    development: environment === 'development',
    passwordLength: { min: password.minPasswordLength, max: password.maxPasswordLength },
    lifetimes: { passwordReset: password.resetPasswordTokenExpiresIn },
    additionalFields: fieldsOfForms(user.additionalFields),
    features: {
      signUp: password.enabled && !password.disableSignUp,
      emailAndPassword: password.enabled,
      changeEmail: user.changeEmail.enabled,
      deleteUser: user.deleteUser.enabled,
      verifyOnSignUp: verification.enabled && (verification.sendOnSignUp || password.requireEmailVerification),
    },
  }
  // Laid over object by object, so that every feature may add its switches to `features`.
  return scope.lifecycle.publicFeatures.reduce((all, tell) => mergeOptions(all, tell(scope)), ownSettings)
}
