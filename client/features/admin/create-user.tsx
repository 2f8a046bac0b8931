import { useLocation } from 'wouter'
import { lengthOf } from '../../../worker/kit/text-length.ts'
import { valuesOf } from '../../lib/additional-fields.ts'
import { auth, useConfig } from '../../lib/api.ts'
import { looksLikeEmail, useForm } from '../../lib/form.ts'
import { chosenRoles, roleField } from '../../lib/permissions.ts'
import { refreshQueries } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { AdditionalFields, useFieldCheck } from '../../ui/additional-fields.tsx'
import { Field } from '../../ui/field.tsx'
import { Page } from '../../ui/member-page.tsx'
import { newPasswordErrors } from '../../ui/new-password.tsx'
import { formClass } from '../../ui/page.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Section } from '../../ui/section.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { nameOf, useAdminRules } from './rights.ts'
import { RoleFields } from './role-fields.tsx'
import { adminTexts } from './texts.ts'

export default function CreateUser() {
  const t = useTexts(adminTexts)
  const [, navigate] = useLocation()
  const { passwordLength, additionalFields } = useConfig()
  const { roles, defaultRole } = useAdminRules()
  const known = Object.keys(roles)
  const firstRole = roleField(known[0] ?? '')
  // Required fields are optional here: administrators may not know them, and the user is asked later.
  const fields = additionalFields.map((field) => ({ ...field, required: false }))
  const checkFields = useFieldCheck(fields)
  const form = useForm({
    fields: ['name', 'email', 'password', ...known.map(roleField), ...fields.map(({ name }) => name)],
    check: (values) => ({
      ...checkFields(values),
      name: !values.name!.trim() && t.nameRequired,
      email: !looksLikeEmail(values.email!) && (values.email!.trim() ? t.invalidEmail : t.emailRequired),
      password: lengthOf(values.password!) < passwordLength.min && t.passwordTooShort(passwordLength.min),
      [firstRole]: chosenRoles(values, known).length === 0 && t.roleRequired,
    }),
    send: (values) =>
      auth.admin.createUser({
        name: values.name!.trim(),
        email: values.email!.trim(),
        password: values.password!,
        role: chosenRoles(values, known),
        data: valuesOf(fields, values, 'left out'),
      }),
    at: {
      USER_ALREADY_EXISTS: 'email',
      ...newPasswordErrors('password'),
    },
    errors: t.errors,
    done: ({ user }) => {
      toast(t.created(nameOf(user)))
      refreshQueries('adminUsers')
      navigate(`/admin/users/${user.id}`)
    },
  })
  return (
    <Page title={t.createTitle} intro={t.createIntro}>
      <Section>
        <form {...form.props} className={formClass}>
          <Field {...form.field('name')} label={t.name} autoComplete="off" />
          <Field {...form.field('email')} label={t.email} type="email" autoComplete="off" />
          <PasswordField {...form.field('password')} kind="new" label={t.password} strength={passwordLength} />
          <AdditionalFields fields={fields} form={form} />
          <RoleFields held={[defaultRole]} error={form.field(firstRole).error} />
          <Submit form={form}>{t.create}</Submit>
        </form>
      </Section>
    </Page>
  )
}
