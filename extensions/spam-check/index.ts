import { type Comment, defineExtension, RestError, success, successSchema } from 'pentad'
import { z } from 'zod'
import { createSpamService } from './service.ts'
import { settingsSchema } from './settings.ts'

export default defineExtension({
  id: 'spam-check',
  name: 'Spam check',
  version: '1.0.0',
  description: 'Checks comments for spam with Akismet or a compatible server, which learns from your decisions.',
  setup({ fetch, hooks, jobs, log, rest, settings, site }) {
    const { get } = settings.register(settingsSchema)
    const service = createSpamService(fetch, get, site.url)
    const isSetUp = () => get().apiKey !== ''

    hooks.addFilter('pre_comment_approved', async (status, comment) => {
      // Logged-in users are known, and moderators decide themselves.
      if (!isSetUp() || comment.userId > 0 || (status !== 'approved' && status !== 'hold')) return status
      try {
        return (await service.isSpam(comment)) ? 'spam' : status
      } catch (error) {
        log.warn({ err: error }, 'comment not checked for spam')
        // A moderator decides instead.
        return 'hold'
      }
    })

    const { queue } = jobs.createQueue<{ comment: Comment; verdict: 'spam' | 'ham' }>({
      name: 'spam-check',
      work: ({ comment, verdict }) => service.report(comment, verdict),
    })
    hooks.addAction('transition_comment_status', (now, before, comment) => {
      if (!isSetUp() || comment.userId > 0) return
      if (now === 'spam') queue.push({ comment, verdict: 'spam' })
      // `unapproved`: as WordPress's clients restore a comment.
      else if (before === 'spam' && (now === 'approved' || now === 'unapproved'))
        queue.push({ comment, verdict: 'ham' })
    })

    hooks.addFilter('wp_add_privacy_policy_content', (sections) =>
      isSetUp()
        ? [
            ...sections,
            {
              title: 'Spam check',
              paragraphs: [
                `Comments, with the name, email address, and IP address of their authors, are sent to ${new URL(get().serverUrl).hostname} to detect spam.`,
              ],
            },
          ]
        : sections,
    )

    rest.registerRoute('spam-check/v1', {
      method: 'POST',
      path: '/test',
      access: 'manage_options',
      summary: 'Tests the connection and the API key.',
      response: successSchema(z.null()),
      async handler() {
        if (!isSetUp()) {
          throw new RestError('spam_check_not_set_up', 'Enter an API key in the settings first.', { status: 409 })
        }
        try {
          await service.verifyKey()
        } catch (error) {
          const reason = error instanceof Error ? error.message : 'The server could not be reached.'
          throw new RestError('spam_check_failed', reason, { status: 502 })
        }
        return success(null)
      },
    })
  },
})
