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
  /** The way back, beside the button: in a dialog, or where a form has taken the place of something else. */
  onCancel?(): void
  /** What that is called, where nothing is canceled. */
  cancel?: string
  children: ReactNode
}

/** The end of every form: what was refused, and the button, which rests while a 429 counts down. */
export function Submit({ form, look = 'primary', wide, onCancel, cancel, children }: SubmitProps) {
  const t = useTexts()
  return (
    <div className="grid gap-4">
      <div className="empty:hidden">
        <FormProblem form={form} />
      </div>
      {/* Where they do not fit beside each other, the way back is the lower one. */}
      <div className="flex flex-wrap-reverse gap-3 in-[dialog]:justify-end in-[dialog]:max-sm:*:grow">
        {onCancel && <Button onClick={onCancel}>{cancel ?? t.cancel}</Button>}
        <SubmitButton form={form} look={look} wide={wide}>
          {children}
        </SubmitButton>
      </div>
    </div>
  )
}

/** The button alone, where what was refused is told elsewhere in the form. */
export function SubmitButton({ form, look = 'primary', wide, children }: SubmitProps) {
  const blocked = useSecondsUntil(form.blockedUntil) > 0
  return (
    <Button type="submit" look={look} wide={wide} busy={form.busy} disabled={blocked}>
      {children}
    </Button>
  )
}
