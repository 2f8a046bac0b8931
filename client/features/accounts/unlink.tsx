import { auth } from '../../lib/api.ts'
import type { LinkedAccount } from '../../lib/auth/endpoints.ts'
import { queryClient } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { toast } from '../../ui/toasts.tsx'
import { accountTexts } from './texts.ts'

/** Asks, and removes one way in. The server keeps the last one, whatever this screen believed. */
export function Unlink({ account, name }: { account: LinkedAccount; name: string }) {
  const t = useTexts(accountTexts)
  return (
    <ConfirmDestroy
      title={t.question(name)}
      action={t.unlink}
      errors={t.errors}
      send={() => auth.unlinkAccount({ providerId: account.provider, accountId: account.accountId })}
      done={() => {
        toast(t.unlinked(name))
        void queryClient.invalidateQueries({ queryKey: ['accounts'] })
      }}
      trigger={(open) => (
        <Button aria-label={t.unlinkOne(name)} onClick={open}>
          {t.unlink}
        </Button>
      )}
    >
      {t.consequence(name)}
    </ConfirmDestroy>
  )
}
