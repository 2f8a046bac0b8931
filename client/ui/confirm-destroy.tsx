import { type ReactNode, useState } from 'react'
import type { Result } from '../lib/auth/types.ts'
import { useForm } from '../lib/form.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Field } from './field.tsx'
import { Submit } from './submit.tsx'

interface ConfirmDestroyProps<Answer> {
  /** Names what is destroyed, such as "Delete Acme Inc." */
  title: string
  /** The text on both buttons. */
  action: string
  /** What goes, in plain words. */
  children: ReactNode
  /** The text that must be typed; without it one click is enough (for what can be undone or had again). */
  phrase?: string
  errors?: Record<string, string>
  send(): Promise<Result<Answer>>
  done(answer: Answer): void
  /** Replaces the button that opens the dialog. */
  trigger?: (open: () => void) => ReactNode
}

/** A button that asks before it destroys. */
export function ConfirmDestroy<Answer>({ trigger, ...rest }: ConfirmDestroyProps<Answer>) {
  const [open, setOpen] = useState(false)
  return (
    <>
      {trigger ? (
        trigger(() => setOpen(true))
      ) : (
        <Button look="danger" className="justify-self-start" onClick={() => setOpen(true)}>
          {rest.action}
        </Button>
      )}
      <Dialog open={open} title={rest.title} onClose={() => setOpen(false)}>
        <Question {...rest} close={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function Question<Answer>({
  action,
  children,
  phrase,
  errors,
  send,
  done,
  close,
}: ConfirmDestroyProps<Answer> & { close(): void }) {
  const t = useTexts()
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
      {phrase !== undefined && (
        <Field
          {...form.field('phrase')}
          label={t.confirmByTyping(phrase)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      <Submit form={form} look="destroy" onCancel={close}>
        {action}
      </Submit>
    </form>
  )
}
