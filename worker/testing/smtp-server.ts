import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { TestProject } from 'vitest/node'

/** A received mail. */
export interface ReceivedMail {
  server: string
  user: string | null
  from: string
  to: string[]
  raw: string
}

/** Ports on 127.0.0.1. */
export interface SmtpPorts {
  /** Accepts every mail and supports neither AUTH nor STARTTLS. */
  open: number
  /** AUTH PLAIN: user `gatehouse`, password `correct`. */
  plain: number
  /** AUTH LOGIN with the same user and password. */
  login: number
  /** TLS from the first byte, with an untrusted certificate. */
  untrusted: number
  /** Offers STARTTLS, with the same certificate. */
  startTls: number
  /** Closes the connection when a mail begins. */
  rude: number
  /** HTTP: GET returns ReceivedMail[], DELETE deletes them. */
  inbox: number
}

declare module 'vitest' {
  interface ProvidedContext {
    smtp: SmtpPorts
  }
}

const listen = async (server: Pick<Server, 'listen' | 'address'>): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/**
 * Real SMTP servers on loopback for the tests of the SMTP transport, which run inside workerd. They get the ports with
 * `inject('smtp')` and the received mails over HTTP.
 */
export default async function startSmtpServers(project: TestProject): Promise<() => Promise<void>> {
  let received: ReceivedMail[] = []
  const closers: (() => void)[] = []

  const smtp = (name: string, options: SMTPServerOptions): Promise<number> => {
    const server = new SMTPServer({
      logger: false,
      disableReverseLookup: true,
      onAuth({ username, password }, _session, answer) {
        if (username === 'gatehouse' && password === 'correct') answer(null, { user: username })
        else answer(new Error('Invalid username or password'))
      },
      onRcptTo({ address }, _session, answer) {
        answer(address.startsWith('unknown@') ? new Error(`<${address}> does not exist`) : null)
      },
      onData(stream, { envelope, user }, answer) {
        void text(stream).then((raw) => {
          const from = envelope.mailFrom ? envelope.mailFrom.address : ''
          const to = envelope.rcptTo.map(({ address }) => address)
          received.push({ server: name, user: user ? String(user) : null, from, to, raw })
          answer(null)
        }, answer)
      },
      ...options,
    })
    server.on('error', () => {})
    closers.push(() => server.close())
    return listen(server.server)
  }

  const rude = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      if (String(data).startsWith('EHLO')) socket.write('250-rude\r\n250 SIZE 1000000\r\n')
      else socket.end()
    })
    socket.write('220 rude\r\n')
  })
  const inbox = createHttpServer((request, answer) => {
    if (request.method === 'DELETE') received = []
    answer.setHeader('content-type', 'application/json').end(JSON.stringify(received))
  })
  closers.push(
    () => rude.close(),
    () => inbox.close(),
  )

  const withAuth = { allowInsecureAuth: true, hideSTARTTLS: true, disabledCommands: ['STARTTLS'] }
  project.provide('smtp', {
    open: await smtp('open', { authOptional: true, disabledCommands: ['AUTH', 'STARTTLS'] }),
    plain: await smtp('plain', { ...withAuth, authMethods: ['PLAIN'] }),
    login: await smtp('login', { ...withAuth, authMethods: ['LOGIN'] }),
    untrusted: await smtp('untrusted', { secure: true, authOptional: true }),
    startTls: await smtp('startTls', { authOptional: true }),
    rude: await listen(rude),
    inbox: await listen(inbox),
  })
  return async () => {
    for (const close of closers) close()
  }
}
