import type { ReactNode } from 'react'
import type { Form } from '../lib/form.ts'
import { useUnsaved } from '../lib/unsaved.ts'
import { Submit } from './submit.tsx'

/** The end of a form with `guard`: its button is solid while there is something to save. */
export function Save({ form, children }: { form: Form; children: ReactNode }) {
  const changed = useUnsaved(form.props.ref)
  return (
    <Submit form={form} look={changed ? 'primary' : 'secondary'}>
      {children}
    </Submit>
  )
}
