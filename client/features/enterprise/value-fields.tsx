import type { ChangeEvent, ComponentProps, ReactNode } from 'react'
import type { Form } from '../../lib/form.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { Field, FieldFrame, type FieldFrameProps } from '../../ui/field.tsx'
import { Submit } from '../../ui/submit.tsx'
import { toast } from '../../ui/toasts.tsx'
import { type Connection, isComplete, useManager } from './manager.ts'
import { ssoTexts } from './texts.ts'

type ValueProps = ComponentProps<typeof Field>

/** A field for a value of the identity provider. */
export const Value = (props: ValueProps) => <Field dir="ltr" autoComplete="off" {...props} />

export const Address = (props: ValueProps) => <Value type="url" maxLength={2048} placeholder="https://" {...props} />

type TextAreaProps = FieldFrameProps & {
  name: string
  defaultValue?: string
  onChange?(event: ChangeEvent<HTMLTextAreaElement>): void
}

export function TextArea({ label, hint, error, optional, ...area }: TextAreaProps) {
  return (
    <FieldFrame {...{ label, hint, error, optional }}>
      {(control) => (
        <textarea
          {...area}
          {...control}
          rows={4}
          dir="ltr"
          spellCheck={false}
          autoComplete="off"
          className="control py-2 font-mono text-sm"
        />
      )}
    </FieldFrame>
  )
}

interface StepEndProps {
  form: Form
  connection: Connection
  onNext(): void
  /** The buttons to other steps. */
  ways: ReactNode
}

/** The end of the step: it is saved, or goes on once there is nothing to save. */
export function StepEnd({ form, connection, onNext, ways }: StepEndProps) {
  const t = useTexts(ssoTexts)
  const goesOn = !useUnsaved(form.props.ref) && isComplete(connection)
  const beside = (
    <>
      {goesOn && (
        <Button look="primary" onClick={onNext}>
          {t.nextStep}
        </Button>
      )}
      {ways}
    </>
  )
  return (
    <Submit form={form} look={goesOn ? 'secondary' : 'primary'} beside={beside}>
      {t.save}
    </Submit>
  )
}

export function useSaved(onSaved: () => void): () => void {
  const t = useTexts(ssoTexts)
  const { refresh } = useManager()
  return () => {
    toast(t.saved)
    refresh()
    onSaved()
  }
}
