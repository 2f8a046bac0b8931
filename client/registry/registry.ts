import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { registryOrigin } from '../../worker/kit/registry-origin.ts'

// The registry in shadcn's format (https://ui.shadcn.com/docs/registry/registry-item-json): components whose source a
// team copies into its product. Decision 176.

export interface RegistryFile {
  path: string
  type: 'registry:component' | 'registry:lib' | 'registry:hook'
  content?: string
}

export interface RegistryItem {
  $schema?: string
  name: string
  type: 'registry:component' | 'registry:lib'
  title: string
  description: string
  dependencies: string[]
  registryDependencies: string[]
  files: RegistryFile[]
}

export interface Registry {
  $schema: string
  name: string
  homepage: string
  items: RegistryItem[]
}

const own = (name: string) => `${registryOrigin}/registry/${name}.json`

/** @param needs names of shadcn's items, or addresses of own ones */
const component = (name: string, title: string, description: string, needs: string[]): RegistryItem => ({
  name,
  type: 'registry:component',
  title,
  description,
  dependencies: [],
  registryDependencies: [own('auth-client'), ...needs],
  files: [{ path: `components/${name}.tsx`, type: 'registry:component' }],
})

/** @param client the version of the published client that the guides recommend */
const itemsFor = (client: string): RegistryItem[] => [
  {
    name: 'auth-client',
    type: 'registry:lib',
    title: 'Client',
    description: 'The client of the deployment, and sentences for its errors.',
    dependencies: [`better-auth@${client}`],
    registryDependencies: [],
    files: [
      { path: 'lib/auth-client.ts', type: 'registry:lib' },
      { path: 'lib/auth-errors.ts', type: 'registry:lib' },
    ],
  },
  {
    name: 'auth-form',
    type: 'registry:lib',
    title: 'Form',
    description: 'Forms and fields of the other items: loading state, errors, focus.',
    dependencies: [],
    registryDependencies: [own('auth-client'), 'input', 'label'],
    files: [
      { path: 'lib/use-auth-form.ts', type: 'registry:lib' },
      { path: 'components/auth-field.tsx', type: 'registry:component' },
    ],
  },
  component('sign-in', 'Sign-in', 'A form for email and password, providers, and a second factor.', [
    own('auth-form'),
    'button',
    'card',
  ]),
  component('sign-up', 'Sign-up', 'A form for a new account, and the request to confirm its address.', [
    own('auth-form'),
    'button',
    'card',
  ]),
  component('user-button', 'User button', 'The menu of the signed-in user.', [
    'avatar',
    'button',
    'dropdown-menu',
    'skeleton',
  ]),
  component('organization-switcher', 'Organization switcher', 'Opens and creates organizations.', [
    own('auth-form'),
    'button',
    'dialog',
    'dropdown-menu',
    'skeleton',
  ]),
  component('members-table', 'Members table', 'Members of the active organization: invite, change role, remove.', [
    own('auth-form'),
    'badge',
    'button',
    'dialog',
    'dropdown-menu',
    'skeleton',
    'table',
  ]),
]

const contentOf = (file: RegistryFile): RegistryFile => ({
  ...file,
  content: readFileSync(join(import.meta.dirname, file.path), 'utf8'),
})

const clientPackage = join(import.meta.dirname, '../../worker/testing/better-auth-newest/package.json')

/** The registry with the text of each file. */
export function readRegistry(): Registry {
  const { dependencies } = JSON.parse(readFileSync(clientPackage, 'utf8')) as { dependencies: Record<string, string> }
  return {
    $schema: 'https://ui.shadcn.com/schema/registry.json',
    name: 'gatehouse',
    homepage: registryOrigin,
    items: itemsFor(dependencies['better-auth']!).map((item) => ({ ...item, files: item.files.map(contentOf) })),
  }
}
