import { sql } from 'kysely'
import type { Users } from '../../core/auth/types.ts'
import type { SiteDatabase } from '../../core/database/index.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import { findPictures, PROFILE_PICTURE, pictureIdOf } from '../content/profile-pictures.ts'
import type { CommentRow } from '../content/rows.ts'
import type { Content } from '../content/types.ts'
import type { MailLog } from '../mail/mail-log.ts'
import type { TextsFor } from '../text/translations.ts'
import './hooks.ts'
import type { PersonalDataGroup } from './types.ts'

/** Before the callbacks of extensions. */
const FIRST = 1

interface Parts {
  readonly content: Pick<Content, 'comments' | 'media' | 'meta' | 'posts' | 'readable'>
  readonly users: Users
  readonly database: Pick<SiteDatabase, 'db'>
  readonly mailLog: Pick<MailLog, 'about' | 'erase'>
  readonly hooks: Hooks
  readonly textsFor: TextsFor
}

/** The exporters and erasers of accounts, comments, and the email log; WordPress's `wp_register_comment_personal_data_exporter` and so on. */
export function registerOwnData({ content, users, database: { db }, mailLog, hooks, textsFor }: Parts): void {
  const commentsOf = (email: string): Promise<CommentRow[]> =>
    db
      .selectFrom('comments')
      .selectAll()
      .where(sql`lower(author_email)`, '=', email.toLowerCase())
      .orderBy('id')
      .execute()

  const pictureOf = async (userId: number) => pictureIdOf((await content.meta.of('user', [userId])).get(userId))
  async function pictureUrl(userId: number): Promise<string> {
    const id = await pictureOf(userId)
    return (await findPictures(content, [id])).get(id)?.url ?? ''
  }

  hooks.addFilter(
    'wp_privacy_personal_data_exporters',
    async function exportOwnData(groups, email) {
      const user = await users.getByEmail(email)
      const { __ } = await textsFor(user)
      const [comments, mails, picture] = await Promise.all([
        commentsOf(email),
        mailLog.about(email),
        user ? pictureUrl(user.id) : '',
      ])
      const own: PersonalDataGroup[] = [
        {
          id: 'user',
          label: __('Account'),
          items: user
            ? [
                {
                  id: `user-${user.id}`,
                  data: named([
                    [__('Username'), user.login],
                    [__('Display name'), user.displayName],
                    [__('First name'), user.firstName],
                    [__('Last name'), user.lastName],
                    [__('Email'), user.email],
                    [__('Website'), user.url],
                    [__('Biographical info'), user.description],
                    [__('Registered'), user.registered],
                    [__('Profile picture'), picture],
                  ]),
                },
              ]
            : [],
        },
        {
          id: 'comments',
          label: __('Comments'),
          items: comments.map((comment) => ({
            id: `comment-${comment.id}`,
            data: named([
              [__('Author'), comment.author_name],
              [__('Email'), comment.author_email],
              [__('Website'), comment.author_url],
              [__('IP address'), comment.author_address],
              [__('Browser'), comment.user_agent],
              [__('Date (UTC)'), comment.date_gmt],
              [__('Comment'), comment.content],
            ]),
          })),
        },
        {
          id: 'emails',
          label: __('Emails from this site'),
          items: mails.map(({ id, time, recipients, subject }) => ({
            id: `email-${id}`,
            data: named([
              [__('Date (UTC)'), time],
              [__('Recipient'), recipients],
              [__('Subject'), subject],
            ]),
          })),
        },
      ]
      return [...groups, ...own.filter(({ items }) => items.length > 0)]
    },
    FIRST,
  )

  hooks.addFilter(
    'wp_privacy_personal_data_erasers',
    async function eraseOwnData(report, email) {
      const comments = await commentsOf(email)
      for (const { id } of comments) await content.comments.update(id, ANONYMOUS)
      const mails = await mailLog.erase(email)
      const removed = report.removed + comments.length + mails
      const user = await users.getByEmail(email)
      if (!user) return { ...report, removed }
      const picture = await pictureOf(user.id)
      if (picture > 0) await content.meta.delete('user', user.id, PROFILE_PICTURE)
      return {
        removed: removed + (picture > 0 ? 1 : 0),
        retained: report.retained + 1,
        messages: [
          ...report.messages,
          ...(picture > 0 ? ['The profile picture was removed. Its file is still in the media library.'] : []),
          `The account ${user.login} was kept. To delete it, go to Users.`,
        ],
      }
    },
    FIRST,
  )
}

/** The text of a comment stays, as in WordPress. */
const ANONYMOUS = {
  ...{ userId: 0, authorName: 'Anonymous', authorEmail: '', authorUrl: '', authorAddress: '', userAgent: '' },
}

function named(values: readonly (readonly [name: string, value: string])[]) {
  return values.flatMap(([name, value]) => (value === '' ? [] : [{ name, value }]))
}
