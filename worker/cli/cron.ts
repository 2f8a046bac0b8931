/** The address at which wrangler's local runtime runs the cron trigger. */
export const scheduledPath = '/cdn-cgi/handler/scheduled'

/** The interval (ms) in development: a failed job is due again after a minute. */
export const cronPause = 60_000

/** Runs the cron trigger of a development server, now and repeatedly. @returns stops it */
export function repeatCron(url: string, pause = cronPause): () => void {
  const run = () => void fetch(`${url}${scheduledPath}`, { signal: AbortSignal.timeout(pause) }).catch(() => null)
  run()
  const timer = setInterval(run, pause)
  return () => clearInterval(timer)
}
