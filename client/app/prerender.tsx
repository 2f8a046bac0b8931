import { type ReactNode, StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import type { FirstScreen, PageFrame, ScreenRequest } from '../../worker/kit/first-screen.ts'
import { auth, type Config, config } from '../lib/api.ts'
import { allowCallback } from '../lib/callback-check.ts'
import { continuationOf } from '../lib/continuation.ts'
import { deployment } from '../lib/deployment.ts'
import { given } from '../lib/given.ts'
import { knownAccounts } from '../lib/known-accounts.ts'
import type { Screen } from '../lib/screens.ts'
import { setWords } from '../lib/texts/texts.ts'
import ErrorPage from '../pages/error.tsx'
import { setSentences } from '../pages/error-sentence.ts'
import SignIn from '../pages/sign-in.tsx'
import SignUp from '../pages/sign-up.tsx'
import { App } from './app.tsx'
import { allLoaded } from './eager.ts'
import { memberFrames } from './frames.ts'
import { WaitingFrame } from './member-layout.tsx'

// The screens as the Worker writes them into the page: the app's own components, which hydrate them (main.tsx). The build
// makes one file of it for the Worker (client/prerender.config.ts).

const nothing = () => null
const notFound: Screen = { path: '*', frame: 'visitor', component: nothing }
const routes: Screen[] = [
  { path: '/sign-in', frame: 'visitor', component: SignIn },
  { path: '/sign-up', frame: 'visitor', component: SignUp, switches: ['signUp', 'passkeySignUp'] },
  { path: '/error', frame: 'visitor', component: ErrorPage },
  ...Object.keys(memberFrames).map((path): Screen => ({ path, frame: 'member', component: nothing })),
]
/** The session is not known yet. */
const MemberFrame = (_props: { children: ReactNode }) => <WaitingFrame />

export async function prerender(request: ScreenRequest): Promise<FirstScreen | null> {
  const route = routes.find(({ path }) => path === request.path)
  if (!route) return null
  const { features } = request.config as Config
  if (route.switches && !route.switches.some((name) => features[name])) return null
  const isMember = Object.hasOwn(memberFrames, request.path)
  if (isMember !== request.hasSession && request.path !== '/error') return null
  const frame = isMember ? frameOf(request) : null
  if (isMember && !frame) return null
  await allLoaded()
  const html = render(request, frame)
  const name = renderToString((request.config as Config).name)
  return {
    html,
    title: `${headingOf(html)} · ${name}`,
    frame,
    requests: frame ? requestsOf(request) : [],
  }
}

/** The text of the h1, which is the title of the document (ui/page.tsx). */
function headingOf(html: string): string {
  const start = html.indexOf('<h1')
  const parts = html.slice(start, html.indexOf('</h1>', start)).split('<')
  return parts.map((part) => part.slice(part.indexOf('>') + 1)).join('')
}

/** Renders in one piece: requests share the stores of the app, which these values are for. */
function render({ baseUrl, path, search, hasSession, known, ...page }: ScreenRequest, frame: PageFrame | null): string {
  const { callbackURL, host } = continuationOf(search, baseUrl)
  deployment.origin = new URL(baseUrl).origin
  Object.assign(given, { frame, hasSession })
  setWords(page.language, { ...page.texts.words }, page.own)
  setSentences(page.language, page.texts.words)
  config.set(page.config as Config)
  auth.$session.set(null)
  knownAccounts.set({ accounts: [...known] })
  // The Worker has checked it.
  if (host) allowCallback(callbackURL!)
  const html = renderToString(
    <StrictMode>
      <App {...{ routes, notFound, MemberFrame }} router={{ ssrPath: path, ssrSearch: search }} />
    </StrictMode>,
  )
  // The page lists what it loads.
  return html.replace(/^(?:<link [^>]*>)+/, '')
}

/** The frame of a signed-in screen, if its features are on. */
function frameOf({ path, texts, own, ...page }: ScreenRequest): PageFrame | null {
  const { features } = page.config as Config
  const { on, title, intro, wide, tabs, sections = [{}] } = memberFrames[path]!
  if (on && !features[on]) return null
  const textOf = (name: string): string => {
    const [dictionary = '', key = ''] = name.split('.')
    const replaced = (own[dictionary] as Record<string, unknown> | undefined)?.[key]
    return typeof replaced === 'string' ? replaced : texts.frames[name]!
  }
  return {
    path,
    title: textOf(title),
    ...(intro && { intro: textOf(intro) }),
    ...(wide && { wide }),
    ...(tabs && { tabs }),
    sections: sections
      .filter((section) => !section.on || features[section.on])
      .map(({ title, intro }) => (title && intro ? { title: textOf(title), intro: textOf(intro) } : null)),
  }
}

const requestsOf = ({ path, search, config }: ScreenRequest): string[] =>
  (memberFrames[path]!.requests ?? [])
    .filter(({ on, unfiltered }) => (!on || (config as Config).features[on]) && !(unfiltered && search))
    .map((one) => `/api/auth${one.path}`)
