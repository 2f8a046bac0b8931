import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/small.tsx'
import { Note } from '../../ui/state.tsx'
import { identityProviderTexts } from './texts.ts'

/** A client's id and, this once, its secret. */
export function Credentials({ clientId, secret, onDone }: { clientId: string; secret?: string; onDone(): void }) {
  const t = useTexts(identityProviderTexts)
  return (
    <div className="grid gap-5">
      <Value label={t.clientId} value={clientId} copy={t.copyId} />
      {secret && (
        <>
          <Value label={t.secret} value={secret} copy={t.copySecret} />
          <Note>{t.secretOnce}</Note>
        </>
      )}
      <Button look="primary" className="sm:justify-self-end" onClick={onDone}>
        {secret ? t.keptIt : t.done}
      </Button>
    </div>
  )
}

function Value({ label, value, copy }: { label: string; value: string; copy: string }) {
  return (
    <div className="grid gap-1.5">
      <p className="font-medium">{label}</p>
      <div className="flex flex-wrap items-center gap-3">
        <code className="rounded bg-sunken px-2 py-1 font-mono text-sm break-all">{value}</code>
        <CopyButton text={value}>{copy}</CopyButton>
      </div>
    </div>
  )
}
