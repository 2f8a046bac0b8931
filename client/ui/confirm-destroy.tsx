import type { ReactNode } from 'react'
import { useAddressed } from '../lib/address.ts'
import type { Result } from '../lib/auth/types.ts'
import { useForm } from '../lib/form.ts'
import { defineTexts, useTexts } from '../lib/texts/texts.ts'
import { Button, type ButtonLook } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { Submit } from './submit.tsx'

export const confirmTexts = defineTexts('confirmDestroy', {
  confirmByTyping: 'Type “{what}” to confirm',
  confirmMismatch: 'This does not match “{what}”.',
})

interface ConfirmDestroyProps<Answer> {
  /** The address that opens it: `#id`. */
  id?: string
  /** The question, such as "Delete Acme Inc.?" */
  title: string
  /** The text of both buttons. */
  action: string
  children: ReactNode
  /** The text to type; without it one click confirms. */
  phrase?: string
  errors?: Record<string, string>
  send(): Promise<Result<Answer>>
  done(answer: Answer): void
  /** The look of the button that opens the dialog. */
  look?: ButtonLook
  /** The accessible name of that button. */
  label?: string
  /** The text of that button, instead of `action`. */
  short?: string
  /** Replaces that button. */
  trigger?: (open: () => void) => ReactNode
}

/** A button that asks for confirmation before a deletion. */
export function ConfirmDestroy<Answer>(props: ConfirmDestroyProps<Answer>) {
  const { id, trigger, look = 'danger', label, short, ...rest } = props
  const className = look === 'danger' ? 'justify-self-start' : undefined
  const [open, setOpen] = useAddressed(id)
  return (
    <>
      {trigger ? (
        trigger(() => setOpen(true))
      ) : (
        <Button id={id} look={look} aria-label={label} className={className} onClick={() => setOpen(true)}>
          {short ?? rest.action}
        </Button>
      )}
      <Dialog open={open} title={rest.title} onClose={() => setOpen(false)}>
        <Question {...rest} close={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function Question<Answer>(props: ConfirmDestroyProps<Answer> & { close(): void }) {
  const { action, children, phrase, errors, send, done, close } = props
  const t = useTexts(confirmTexts)
  const form = useForm({
    fields: ['phrase'],
    errors,
    check: (values) => ({
      phrase: phrase !== undefined && values.phrase.trim() !== phrase && t.confirmMismatch(phrase),
    }),
    send,
    done(answer: Answer) {
      close()
      done(answer)
    },
  })
  return (
    <form {...form.props} className="grid gap-5">
      <div>{children}</div>
      {phrase !== undefined && <PhraseField {...form.field('phrase')} phrase={phrase} />}
      <Submit form={form} look="destroy" onCancel={close}>
        {action}
      </Submit>
    </form>
  )
}

interface PhraseFieldProps {
  name: string
  error: string | undefined
  phrase: string
}

/** Asks to type a text, which confirms an operation. */
export function PhraseField({ phrase, ...field }: PhraseFieldProps) {
  const t = useTexts(confirmTexts)
  const label = t.confirmByTyping(phrase)
  return (
    <Field
      {...field}
      label={label}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      // A copy of the label has the characters that isolate the text in it.
      onInput={({ currentTarget: input }) => {
        if (/[\u2068\u2069]/.test(input.value)) input.value = input.value.replace(/[\u2068\u2069]/g, '')
      }}
    />
  )
}
