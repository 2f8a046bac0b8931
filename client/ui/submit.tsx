import type { ReactNode } from 'react'
import { useSecondsUntil } from '../lib/clock.ts'
import type { Form } from '../lib/form.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { Button, type ButtonLook } from './button.tsx'
import { FormProblem } from './state.tsx'

interface SubmitProps {
  form: Pick<Form, 'busy' | 'problem' | 'message' | 'blockedUntil'>
  look?: ButtonLook
  wide?: boolean
  /** A cancel button next to the submit button. */
  onCancel?(): void
  /** Its label; by default "Cancel". */
  cancel?: string
  /** After the submit button. */
  beside?: ReactNode
  children: ReactNode
}

/** The end of a form: its error and its button, which is disabled during the countdown of a 429. */
export function Submit({ form, look = 'primary', wide, onCancel, cancel, beside, children }: SubmitProps) {
  const t = useTexts()
  return (
    <div className="grid gap-4">
      <div className="empty:hidden">
        <FormProblem form={form} />
      </div>
      {/* Without room next to each other, the cancel button is the lower one. */}
      <div className="flex flex-wrap-reverse gap-3 in-[dialog]:justify-end in-[dialog]:max-sm:*:grow">
        {onCancel && <Button onClick={onCancel}>{cancel ?? t.cancel}</Button>}
        <SubmitButton form={form} look={look} wide={wide}>
          {children}
        </SubmitButton>
        {beside}
      </div>
    </div>
  )
}

/** The button alone, for forms that show errors elsewhere. */
export function SubmitButton({ form, look = 'primary', wide, children }: SubmitProps) {
  const blocked = useSecondsUntil(form.blockedUntil) > 0
  return (
    <Button type="submit" look={look} wide={wide} busy={form.busy} disabled={blocked}>
      {children}
    </Button>
  )
}
