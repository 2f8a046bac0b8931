import type { ReactNode } from 'react'
import { useSecondsUntil } from '../lib/clock.ts'
import type { Form } from '../lib/form.ts'
import { Button, type ButtonLook } from './button.tsx'
import { FormProblem } from './state.tsx'

interface SubmitProps {
  form: Pick<Form, 'busy' | 'problem' | 'message' | 'blockedUntil'>
  look?: ButtonLook
  wide?: boolean
  children: ReactNode
}

/** The end of every form: what was refused, and the button, which rests while a 429 counts down. */
export function Submit({ form, look = 'primary', wide, children }: SubmitProps) {
  const blocked = useSecondsUntil(form.blockedUntil) > 0
  return (
    <div className="grid justify-items-start gap-4">
      <div className="w-full empty:hidden">
        <FormProblem form={form} />
      </div>
      <Button type="submit" look={look} wide={wide} busy={form.busy} disabled={blocked}>
        {children}
      </Button>
    </div>
  )
}
