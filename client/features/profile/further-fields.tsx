import { valuesOf } from '../../lib/additional-fields.ts'
import { auth, useConfig, useMember } from '../../lib/api.ts'
import { useForm } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { AdditionalFields, useFieldCheck } from '../../ui/additional-fields.tsx'
import { formClass } from '../../ui/page.tsx'
import { Save } from '../../ui/save.tsx'
import { Section } from '../../ui/section.tsx'
import { toast } from '../../ui/toasts.tsx'
import { profileTexts } from './texts.ts'

export default function FurtherFields() {
  const t = useTexts(profileTexts)
  const { user } = useMember()
  const { additionalFields } = useConfig()
  const fields = additionalFields
    .filter(({ profile }) => profile)
    // A field that responses do not contain stays unchanged when it is empty.
    .map((field) => (field.returned ? field : { ...field, required: false }))
  const shown = fields.filter(({ returned }) => returned)
  const hidden = fields.filter(({ returned }) => !returned)
  const form = useForm({
    fields: fields.map(({ name }) => name),
    guard: true,
    check: useFieldCheck(fields),
    send: (typed) => auth.updateUser({ ...valuesOf(shown, typed, 'null'), ...valuesOf(hidden, typed, 'left out') }),
    done: () => toast(t.saved),
  })
  return (
    <Section id="details" title={t.furtherTitle}>
      <form {...form.props} className={formClass}>
        <AdditionalFields fields={fields} form={form} values={{ ...user }} stored />
        <Save form={form}>{t.save}</Save>
      </form>
    </Section>
  )
}
