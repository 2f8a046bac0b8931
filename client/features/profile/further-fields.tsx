import { valuesOf } from '../../lib/additional-fields.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { AdditionalFields, useFieldCheck } from '../../ui/additional-fields.tsx'
import { formClass, Section } from '../../ui/page.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { profileTexts } from './texts.ts'

/** The fields that the configuration adds to the profile. */
export default function FurtherFields() {
  const t = useTexts(profileTexts)
  const core = useTexts()
  const { user } = useMember()
  const { additionalFields = [] } = useConfig()
  const fields = additionalFields
    .filter(({ profile }) => profile)
    // One that is not told stays as it is when nothing is typed.
    .map((field) => (field.returned ? field : { ...field, required: false }))
  const told = fields.filter(({ returned }) => returned)
  const untold = fields.filter(({ returned }) => !returned)
  const form = useForm({
    fields: fields.map(({ name }) => name),
    guard: true,
    check: useFieldCheck(fields),
    send: (typed) => auth.updateUser({ ...valuesOf(told, typed, 'null'), ...valuesOf(untold, typed, 'left out') }),
    done: () => toast(t.saved),
  })
  return (
    <Section id="details" title={t.furtherTitle}>
      <form {...form.props} className={formClass}>
        <AdditionalFields fields={fields} form={form} values={{ ...user }} stored />
        <Submit form={form} look="secondary">
          {core.save}
        </Submit>
      </form>
    </Section>
  )
}
