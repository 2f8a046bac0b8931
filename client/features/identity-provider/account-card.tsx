import type { ReactNode } from 'react'
import { isPlaceholder } from '../../lib/placeholder.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Avatar } from '../../ui/small.tsx'
import { identityProviderTexts } from './texts.ts'

interface AccountCardProps {
  user: { name: string; email: string; image?: string | null | undefined }
  /** The way to another account. */
  children: ReactNode
}

/** The account to which an application or a device gets access. */
export function AccountCard({ user, children }: AccountCardProps) {
  const t = useTexts(identityProviderTexts)
  return (
    <section className="grid gap-3 rounded border bg-surface p-4">
      <h2 className="text-sm text-soft">{t.signedInAs}</h2>
      <div className="flex items-center gap-3">
        <Avatar name={user.name || user.email} image={user.image ?? null} />
        <p className="grid min-w-0">
          <span dir="auto" className="truncate font-medium">
            {user.name}
          </span>
          {!isPlaceholder(user.email) && (
            <span dir="auto" className="truncate text-soft">
              {user.email}
            </span>
          )}
        </p>
      </div>
      {children}
    </section>
  )
}
