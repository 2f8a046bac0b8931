import type { ChangeEvent, ComponentProps } from 'react'
import { useTexts } from '../../lib/texts/texts.ts'
import { Field, FieldFrame, type FieldFrameProps } from '../../ui/field.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useManager } from './manager.ts'
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

export function useSaved(onSaved: () => void): () => void {
  const t = useTexts(ssoTexts)
  const { refresh } = useManager()
  return () => {
    toast(t.saved)
    refresh()
    onSaved()
  }
}
