import { emailAndPasswordOptions, emailVerificationOptions } from '../../identity/accounts/accounts.config.ts'
import type { Scope } from '../../identity/scope.ts'
import { fieldsOfForms } from '../../identity/users/additional-fields.ts'
import { userOptions } from '../../identity/users/users.config.ts'
import { mergeOptions } from '../../kit/options.ts'
import type { PublicConfiguration } from './public-config.contract.ts'
import { signInOptions } from './sign-in.config.ts'

/** The configuration for every visitor. */
export function publicConfig(scope: Scope): PublicConfiguration {
  const { appName, environment } = scope.settings
  const password = emailAndPasswordOptions.of(scope)
  const user = userOptions.of(scope)
  const verification = emailVerificationOptions.of(scope)
  const core: PublicConfiguration = {
    name: appName,
    development: environment === 'development',
    passwordLength: { min: password.minPasswordLength, max: password.maxPasswordLength },
    lifetimes: { passwordReset: password.resetPasswordTokenExpiresIn },
    signIn: { flow: signInOptions.of(scope).flow },
    additionalFields: fieldsOfForms(user.additionalFields),
    features: {
      signUp: password.enabled && !password.disableSignUp,
      emailAndPassword: password.enabled,
      changeEmail: user.changeEmail.enabled,
      deleteUser: user.deleteUser.enabled,
      verifyOnSignUp: verification.enabled && (verification.sendOnSignUp || password.requireEmailVerification),
    },
  }
  // Merged object by object, so that each feature can add to `features`.
  return scope.lifecycle
    .registry('publicConfiguration')
    .reduce<PublicConfiguration>((all, partOf) => mergeOptions(all, partOf(scope)), core)
}
