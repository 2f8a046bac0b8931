import { lengthOf } from '../../worker/kit/text-length.ts'
import { useConfig } from '../lib/api.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { PasswordField, type PasswordFieldProps } from './password-field.tsx'

/** For `at` of a form: the errors that the field of a new password shows. */
export const newPasswordErrors = <Name extends string>(field: Name) => ({
  PASSWORD_TOO_SHORT: field,
  PASSWORD_TOO_LONG: field,
  PASSWORD_TOO_COMMON: field,
  PASSWORD_COMPROMISED: field,
})

export function useNewPasswordCheck() {
  const t = useTexts()
  const { min, max } = useConfig().passwordLength
  return (password: string) =>
    !password
      ? t.required.newPassword
      : lengthOf(password) < min
        ? t.passwordTooShort(min)
        : lengthOf(password) > max && t.passwordTooLong(max)
}

export function NewPasswordField(props: Partial<PasswordFieldProps>) {
  const t = useTexts()
  const { passwordLength } = useConfig()
  const hint = t.strength.short(passwordLength.min)
  return <PasswordField kind="new" label={t.newPassword} hint={hint} strength={passwordLength} {...props} />
}
