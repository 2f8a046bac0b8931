import { defineTexts } from '../../lib/texts/texts.ts'

export const agentProviderTexts = defineTexts('agentProviders', {
  title: 'Your accounts elsewhere',
  intro: 'Agents that may use an account of yours at another service. They never see your password.',
  none: 'No agent may use your accounts elsewhere.',
  allow: 'Allow an account',
  allowTitle: 'Let an agent use an account',
  account: 'Account',
  can: 'It can',
  everything: 'The agent can then do everything that this account allows here:',
  withheld: 'This account has permissions that agents cannot have here, so no agent can use it: {scopes}',
  end: 'End',
  endQuestion: 'End the access of {agent} to {provider}?',
  endWhat:
    'The agent gets no more access from here. What it received before works until it expires, usually within an hour.',
  ended: '{agent} can no longer use {provider}.',
  allowed: '{agent} may use {provider}.',
})
