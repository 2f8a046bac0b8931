import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A screen as the files that list screens name it. */
interface ListedScreen {
  frame: 'visitor' | 'member'
  path: string
  /** Relative to the folder of the app. */
  module: string
}

const screenLine = /\b(visitor|member)\(\s*'(\/[^']*)',\s*\(\) => import\('([^']+)'\)/g

/** The screens in the files that list them. */
export function listedScreens(root: string): ListedScreen[] {
  const features = readdirSync(join(root, 'features')).map((feature) => `features/${feature}/screens.ts`)
  return ['app/routes.ts', ...features]
    .filter((file) => existsSync(join(root, file)))
    .flatMap((list) =>
      [...readFileSync(join(root, list), 'utf8').matchAll(screenLine)].map(([, frame, path, file]) => ({
        frame: frame as 'visitor' | 'member',
        path: path!,
        module: join(dirname(list), file!),
      })),
    )
}

/** What the signed-in frame loads when it is needed: most visits do without it. */
export const onDemand =
  /\/(app\/command-menu|features\/(admin\/bulk|step-up\/\w[\w-]*|admin\/impersonation-banner|anonymous\/guest-banner|two-factor\/set-up|passkey\/offer|identity-provider\/approval-banner))\.tsx$/
