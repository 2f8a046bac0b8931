import { useState } from 'react'
import { useAction } from '../../lib/action.ts'
import { auth } from '../../lib/api.ts'
import type { AnswerOf } from '../../lib/auth/endpoints.ts'
import { refreshQueries, useQuery } from '../../lib/queries.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDestroy } from '../../ui/confirm-destroy.tsx'
import { Menu, MenuButton } from '../../ui/menu.tsx'
import { Section } from '../../ui/section.tsx'
import { type Shown, ShownOnce } from '../../ui/shown-once.tsx'
import { Badge } from '../../ui/small.tsx'
import { EmptyState, ErrorPanel, Loaded } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Day, Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { directoryTexts } from './directory.texts.ts'
import { Copyable } from './parts.tsx'

type Directory = AnswerOf<'/sso/directory'>
type Token = Directory['tokens'][number]

interface OfConnection {
  organizationId: string
  connectionId: string
}

const refresh = () => refreshQueries('directory')

/** The directory sync of a connection (SCIM): its address and its tokens. */
export function DirectorySection({ mayChange, ...of }: OfConnection & { mayChange: boolean }) {
  const t = useTexts(directoryTexts)
  const directory = useQuery(['directory', of.connectionId], () => auth.sso.directory({ query: of }))
  // Outside the list, because a refresh of the list would remove it.
  const [shown, setShown] = useState<Shown | null>(null)
  const show = ({ token }: { token: string }) => {
    setShown({
      title: t.newTitle,
      intro: t.once,
      values: [{ label: t.token, text: token, copy: t.copyToken }],
      done: t.done,
    })
    void refresh()
  }
  const create = useAction(() => auth.sso.createDirectoryToken(of), show)
  const button = mayChange && (
    <Button busy={create.busy} onClick={create.run}>
      {t.createToken}
    </Button>
  )
  return (
    <Section title={t.title} intro={t.intro} action={(directory.data?.tokens.length ?? 0) > 0 && button}>
      <Loaded of={directory} errors={t.errors}>
        {({ url, tokens, users, groups }) => (
          <>
            <Copyable label={t.url} text={url} />
            <p className="text-soft">
              {t.users(users)} {t.groups(groups)}
            </p>
            {create.error && <ErrorPanel error={create.error} errors={t.errors} />}
            {tokens.length === 0 ? (
              <EmptyState action={button}>{t.noTokens}</EmptyState>
            ) : (
              <Tokens tokens={tokens} of={of} mayChange={mayChange} show={show} />
            )}
          </>
        )}
      </Loaded>
      <ShownOnce shown={shown} onClose={() => setShown(null)} />
    </Section>
  )
}

interface TokensProps {
  tokens: Token[]
  of: OfConnection
  mayChange: boolean
  show(created: { token: string }): void
}

function Tokens({ tokens, of, mayChange, show }: TokensProps) {
  const t = useTexts(directoryTexts)
  const columns: (Column<Token> | false)[] = [
    { key: 'token', label: t.token, lead: true, cell: ({ start }) => <Start of={start} /> },
    {
      key: 'used',
      label: t.lastUsed,
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Time date={lastUsedAt} /> : t.never),
    },
    { key: 'expires', label: t.expires, cell: (token) => <Expiry {...token} /> },
    { key: 'by', label: t.createdBy, cell: ({ createdBy }) => createdBy?.name ?? '–' },
    mayChange && {
      key: 'actions',
      label: '',
      menu: true,
      align: 'end',
      cell: (token) => <Actions token={token} of={of} show={show} />,
    },
  ]
  return <Table caption={t.title} columns={columns} rows={tokens} rowKey={({ id }) => id} />
}

function Start({ of }: { of: string }) {
  const t = useTexts(directoryTexts)
  return (
    <code dir="ltr" className="whitespace-nowrap">
      {t.startsWith(of)}
    </code>
  )
}

function Expiry({ expiresAt }: Token) {
  const t = useTexts(directoryTexts)
  if (!expiresAt) return t.never
  return expiresAt.getTime() <= Date.now() ? <Badge tone="danger">{t.expired}</Badge> : <Day date={expiresAt} short />
}

function Actions({ token: { id: tokenId, start }, of, show }: Pick<TokensProps, 'of' | 'show'> & { token: Token }) {
  const t = useTexts(directoryTexts)
  return (
    <ConfirmDestroy
      title={t.revokeQuestion(start)}
      action={t.revoke}
      errors={t.errors}
      send={() => auth.sso.revokeDirectoryToken({ ...of, tokenId })}
      done={() => {
        toast(t.revoked)
        void refresh()
      }}
      trigger={(ask) => <TokenMenu {...{ tokenId, start, of, show, ask }} />}
    >
      {t.revokeWhat}
    </ConfirmDestroy>
  )
}

interface MenuProps extends Pick<TokensProps, 'of' | 'show'> {
  tokenId: string
  start: string
  ask(): void
}

function TokenMenu({ tokenId, start, of, show, ask }: MenuProps) {
  const t = useTexts(directoryTexts)
  const rotate = useAction(() => auth.sso.rotateDirectoryToken({ ...of, tokenId }), show)
  return (
    <>
      <Menu label={t.actionsFor(start)}>
        <MenuButton onClick={rotate.run}>{t.rotate}</MenuButton>
        <MenuButton danger onClick={ask}>
          {t.revoke}
        </MenuButton>
      </Menu>
      {rotate.error && <ErrorPanel error={rotate.error} errors={t.errors} />}
    </>
  )
}
