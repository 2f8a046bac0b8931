import { KeyRound, Link2 } from 'lucide-react'
import { useConfig } from '../../lib/api.ts'
import type { LinkedAccount } from '../../lib/auth/endpoints.ts'
import { useAccounts } from '../../lib/queries.ts'
import { defineTexts, useTexts } from '../../lib/texts/texts.ts'
import { Page, Section } from '../../ui/page.tsx'
import { EmptyState, Loaded } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'

const texts = defineTexts(
  {
    title: 'Linked accounts',
    intro: 'The ways in which you can sign in.',
    password: 'Email and password',
    linked: 'Added',
    empty: 'Nothing is linked to your account yet.',
  },
  {
    title: 'Verknüpfte Konten',
    intro: 'Wie du dich anmelden kannst.',
    password: 'E-Mail und Passwort',
    linked: 'Hinzugefügt',
    empty: 'Noch ist nichts mit deinem Konto verknüpft.',
  },
)

export default function LinkedAccounts() {
  const t = useTexts(texts)
  const accounts = useAccounts()
  return (
    <Page title={t.title} intro={t.intro}>
      <Section>
        <Loaded of={accounts}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState>{t.empty}</EmptyState>
            ) : (
              <ul className="grid gap-5">
                {list.map((account) => (
                  <li key={account.id} className="border-b pb-5 last:border-b-0 last:pb-0">
                    <AccountRow account={account} />
                  </li>
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
    </Page>
  )
}

function AccountRow({ account }: { account: LinkedAccount }) {
  const t = useTexts(texts)
  const { providers } = useConfig()
  const isPassword = account.provider === 'credential'
  const Icon = isPassword ? KeyRound : Link2
  return (
    <div className="flex items-center gap-4">
      <Icon aria-hidden size={22} className="flex-none text-soft" />
      <div className="min-w-0">
        <p className="font-medium">
          {isPassword ? t.password : (providers.find(({ id }) => id === account.provider)?.name ?? account.provider)}
        </p>
        <p className="text-soft text-sm">
          {t.linked} <Time date={account.createdAt} />
        </p>
      </div>
    </div>
  )
}
