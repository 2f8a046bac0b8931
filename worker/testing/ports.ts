import { createServer } from 'node:net'

/**
 * A port that nothing listens on, for a program that must be told its port before it starts. It lies below the ranges
 * from which systems give ports to connections, and is drawn at random: what starts a moment later does not get it too.
 */
export async function freePort(): Promise<number> {
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  const isFree = await new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, () => server.close(() => resolve(true)))
  })
  return isFree ? port : freePort()
}
