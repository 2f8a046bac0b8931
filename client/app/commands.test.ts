import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { securityParts } from '../../worker/identity/security-parts.ts'
import type { CompleteLanguage } from '../../worker/kit/language.ts'
import { translations, wordsOf } from '../languages/english.ts'
import { textsOf } from '../lib/texts/define.ts'
import { allCommands } from './all-commands.ts'
import { commandTexts } from './command.texts.ts'
import { find } from './find-commands.ts'
import { routes } from './routes.ts'

const root = join(import.meta.dirname, '..')
const sources = globSync(['features/**/*.tsx', 'pages/**/*.tsx'], { cwd: root })
  .sort()
  .map((file) => ({ file, code: readFileSync(join(root, file), 'utf8') }))

/** Screens and parts without a command, and why. */
const without: Record<string, string> = {
  'features/admin/organization.tsx': 'the page of one organization: the menu finds the organization',
  'features/admin/organization-actions.tsx': 'of one organization',
  'features/admin/user.tsx': 'the page of one user: the menu finds the user',
  'features/admin/user-actions.tsx': 'of one user',
  'features/timeline/timeline.tsx': 'the details of one line',
  'features/admin/bulk.tsx': 'of chosen users',
  'features/admin/saved-views.tsx': 'of the filter on the screen',
  'features/admin/user-timeline.tsx': 'on the page of one user',
  'features/insights/threats.tsx': 'parts of one page, whose actions are commands',
  'features/organization/team.tsx': 'the page of one team',
  'features/organization/member-actions.tsx': 'of one member',
  'features/organization/remove-members.tsx': 'of chosen members',
  'features/identity-provider/step-up.tsx': 'a step of another flow',
  'features/identity-provider/register-client.tsx': 'opened by clients.tsx',
  'features/identity-provider/agent-table.tsx': 'of one agent',
  'features/identity-provider/service-table.tsx': 'of one service',
  'features/step-up/dialog.tsx': 'a step of another action',
  'features/audit/create-stream.tsx': 'opened by stream-list.tsx',
  'features/multi-session/accounts-menu.tsx': 'a question about one account',
  'features/enterprise/directory.tsx': 'of one connection',
  'features/two-factor/set-up.tsx': 'opened by two-factor.tsx',
  'features/audit/stream-list.tsx': 'the page has no other section',
  'features/enterprise/connection.tsx': 'of one connection',
  'features/enterprise/mapping.tsx': 'of one connection',
  'features/enterprise/own-keys.tsx': 'of one connection',
  'features/identity-provider/approvals.tsx': 'one section for each request',
  'features/api-key/create-key.tsx': 'opened by api-keys.tsx',
  'features/identity-provider/create-agent.tsx': 'opened by agents.tsx and organization-agents.tsx',
  'features/identity-provider/service-form.tsx': 'opened by resources.tsx',
  'features/passkey/add.tsx': 'asks for the name of the new passkey',
  'features/server-keys/create-server-key.tsx': 'opened by server-keys.tsx',
  'features/shared-signals/create-receiver.tsx': 'opened by receivers.tsx',
}

/** Each opening tag of a component in a source, with its attributes. */
const tags = (code: string, names: string) =>
  [...code.matchAll(new RegExp(`<(${names})\\b`, 'g'))].map(({ index, 1: name }) => {
    // Up to the next element: the attributes of these components come first.
    const rest = code.slice(index + 1)
    return { name, text: rest.slice(0, rest.search(/\n\s*<|>\s*[<{\n]|\/>/)) }
  })

const idsOf = (code: string) => [
  ...[...code.matchAll(/\bid="([a-z-]+)"/g)].map(([, id]) => id!),
  ...[...code.matchAll(/useAddressed\('([a-z-]+)'\)/g)].map(([, id]) => id!),
]

const hashes = new Set(allCommands.map(({ to }) => to.split('#')[1]).filter((hash) => hash !== undefined))

describe('commands', () => {
  it('exist for every section with a heading', () => {
    const missing = sources
      .filter(({ file }) => !(file in without))
      .flatMap(({ file, code }) =>
        tags(code, 'Section|Part')
          .filter(({ text }) => /\btitle=/.test(text))
          .filter(({ text }) => !hashes.has(/\bid="([a-z-]+)"/.exec(text)?.[1] ?? ''))
          .map(({ text }) => `${file}: <${text.split('\n')[0]} has no command`),
      )
    expect(missing).toEqual([])
  })

  it('exist for every dialog', () => {
    const missing = sources
      .filter(({ file }) => !(file in without))
      .filter(({ code }) => tags(code, 'Dialog|DialogButton|CreateDialog').length > 0)
      .filter(({ code }) => !idsOf(code).some((id) => hashes.has(id)))
      .map(({ file }) => `${file} opens a dialog without a command`)
    expect(missing).toEqual([])
  })

  it('exist for every part that has an address', () => {
    const ids = sources.flatMap(({ code }) =>
      [
        ...tags(code, 'Section|Part|DialogButton|ConfirmDestroy|AddPasskey').map(({ text }) => text),
        ...[...code.matchAll(/useAddressed\('[a-z-]+'\)/g)].map(([text]) => text),
      ].flatMap(idsOf),
    )
    expect(ids.filter((id) => !hashes.has(id))).toEqual([])
  })

  it('lead to screens, and to parts that exist', () => {
    const known = new Set(sources.flatMap(({ code }) => idsOf(code)))
    const paths = routes.map(({ path }) => path)
    const wrong = allCommands.filter(({ to }) => {
      const { pathname, hash } = new URL(to, 'https://a.example')
      return !paths.includes(pathname) || (hash !== '' && !known.has(hash.slice(1)))
    })
    expect(wrong.map(({ to }) => to)).toEqual([])
    expect(new Set(allCommands.map(({ to }) => to)).size).toBe(allCommands.length)
  })

  it('name no exception that has gone', () => {
    expect(Object.keys(without).filter((file) => !sources.some((source) => source.file === file))).toEqual([])
  })
})

it('a mail links to parts of the security page that are commands', () => {
  const addresses = allCommands.map(({ to }) => to)
  expect(addresses).toEqual(expect.arrayContaining(securityParts.map((part) => `/account/security#${part}`)))
})

/** What users type, and the addresses that it has to find. */
const wanted: Record<string, string> = {
  password: '/account/security#change-password',
  passkey: '/account/security#add-passkey',
  twoFactor: '/account/security#set-up-two-factor',
  sessions: '/account/security#sessions',
  email: '/account/profile#change-email',
  signOut: '/sign-out',
  invite: '/organization/members#invite',
  dark: 'dark',
  delete: '/account/profile#delete-account',
  newOrganization: '/organizations/new',
}

const typed: Record<CompleteLanguage, string[]> = {
  en: [
    'password',
    'passkey',
    'two-factor',
    'sessions',
    'email',
    'sign out',
    'invite',
    'dark',
    'delete',
    'new organization',
  ],
  de: [
    'passwort',
    'passkey',
    'zwei-faktor',
    'sitzungen',
    'e-mail',
    'abmelden',
    'einladen',
    'dunkel',
    'löschen',
    'neue organisation',
  ],
  fr: [
    'mot de passe',
    'clé d’accès',
    'deux facteurs',
    'sessions',
    'e-mail',
    'déconnecter',
    'inviter',
    'sombre',
    'supprimer',
    'nouvelle organisation',
  ],
  es: [
    'contraseña',
    'llave de acceso',
    'dos factores',
    'sesiones',
    'correo',
    'cerrar sesion',
    'invitar',
    'oscuro',
    'eliminar',
    'nueva organización',
  ],
  it: [
    'password',
    'passkey',
    'due fattori',
    'sessioni',
    'email',
    'esci',
    'invita',
    'scuro',
    'elimina',
    'nuova organizzazione',
  ],
  'pt-BR': [
    'senha',
    'chave de acesso',
    'dois fatores',
    'sessões',
    'e-mail',
    'sair',
    'convidar',
    'escuro',
    'excluir',
    'nova organização',
  ],
  ar: [
    'كلمة المرور',
    'مفتاح مرور',
    'المصادقة الثنائية',
    'الجلسات',
    'البريد',
    'تسجيل الخروج',
    'دعوة',
    'داكن',
    'حذف',
    'مؤسسة جديدة',
  ],
  ja: [
    'パスワード',
    'パスキー',
    '2 要素',
    'セッション',
    'メール',
    'ログアウト',
    '招待',
    'ダーク',
    '削除',
    '新しい組織',
  ],
  'zh-CN': ['密码', '通行密钥', '双重验证', '会话', '邮箱', '退出登录', '邀请', '深色', '删除', '新建组织'],
}

describe('the command menu finds', () => {
  it.each(['en', ...translations] as CompleteLanguage[])(
    'password, passkey, sign out and the others in %s',
    (language) => {
      const words = language === 'en' ? {} : wordsOf(language, 'client')
      const themes = textsOf(commandTexts, language, words).themes
      const commands = [
        ...allCommands.map(({ texts, key, to }) => ({ id: to, ...textsOf(texts, language, words)[key]! })),
        { id: 'dark', ...themes.dark },
      ].map((one) => ({ ...one, icon: null, run() {} }))
      const missed = typed[language].filter((text, index) => {
        const found = find([{ id: '', label: '', commands }], text).flatMap((group) => group.commands)
        return !found.some(({ id }) => id === Object.values(wanted)[index])
      })
      expect(missed).toEqual([])
    },
  )

  it('a page by its English name in each language, the exact names first', () => {
    const of = (id: string, label: string, english: string, words?: string) => ({
      id,
      label,
      english,
      words,
      icon: null,
      run() {},
    })
    const commands = [
      of('ways', 'Anmeldewege', 'Ways to sign in', 'password'),
      of('password', 'Passwort', 'Password', 'ändern'),
      of('brand', 'Marke', 'Brand'),
    ]
    const ids = (text: string) => find([{ id: '', label: '', commands }], text)[0]?.commands.map(({ id }) => id)
    expect(ids('brand')).toEqual(['brand'])
    expect(ids('password')).toEqual(['password', 'ways'])
  })

  it('everything with words of its own', () => {
    const empty = ['en', ...translations].flatMap((language) => {
      const words = language === 'en' ? {} : wordsOf(language as (typeof translations)[number], 'client')
      return allCommands
        .filter(({ texts, key }) => {
          const one = textsOf(texts, language, words)[key]!
          return !one.label.trim() || !one.words.trim()
        })
        .map(({ id }) => `${language}: ${id}`)
    })
    expect(empty).toEqual([])
  })
})
