import { config } from '../../lib/api.ts'
import type { AuthError } from '../../lib/auth/types.ts'
import { deployment } from '../../lib/deployment.ts'
import { ErrorPanel, Note } from '../../ui/state.tsx'

/** For the developer: why the deployment may refuse this page. The page itself does not learn that it is not trusted. */
const adviceFor = ({ status, code }: AuthError): string =>
  status === 0
    ? `${deployment.api} did not answer this page. If it runs, add ${location.origin} to trustedOrigins of its configuration.`
    : `${deployment.api}/config answered ${status}${code ? ` ${code}` : ''}.`

/** On a machine of a developer. */
export const isLocalPage = (): boolean => /^(?:localhost|.+\.localhost|127\.0\.0\.1|\[::1\])$/.test(location.hostname)

/** In the console of the browser, once for each page. */
export function reportUnreached(): void {
  const stop = config.observe(() => {
    const { data, error } = config.get()
    if (!data && !error) return
    stop()
    if (error) console.error(`Gatehouse: ${adviceFor(error)}`)
  })
}

/** In place of a screen whose deployment has not answered. On a machine of a developer with the advice of the console. */
export function Unreached({ error }: { error: AuthError }) {
  return (
    <div className="grid gap-4">
      <ErrorPanel error={error} onRetry={() => void config.refetch()} />
      {isLocalPage() && (
        <Note tone="warning">
          <span lang="en">{adviceFor(error)}</span>
        </Note>
      )}
    </div>
  )
}
