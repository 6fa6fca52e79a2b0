import { z } from 'zod'
import type { Hooks } from '../../core/hooks/types.ts'
import type { Content } from '../content/types.ts'
import { plainText } from '../text/plain-text.ts'
import type { PageTexts, TextsFor } from '../text/translations.ts'
import './hooks.ts'
import type { PolicySection } from './types.ts'

/** The settings record `privacy`. */
export const privacySettings = z.object({
  policyPage: z.int().min(0).default(0).meta({
    title: 'Privacy policy page',
    description: 'The page is linked in the footer of the default theme and below the login form once it is published.',
  }),
})

/** A link to the published privacy policy. */
export interface PolicyLink {
  readonly url: string
  /** Plain text. */
  readonly title: string
}

/** The privacy policy of the site. */
export interface Policy {
  /** 0 if no page was chosen. */
  pageId(): number
  /** `undefined` unless the page is published. */
  link(): Promise<PolicyLink | undefined>
}

/** What every site stores; services and extensions add their own sections. */
const ownSections = ({ __ }: PageTexts): readonly PolicySection[] => [
  {
    title: __('Who we are'),
    paragraphs: [__('State the name of the site’s owner, and how visitors can contact you about their data.')],
  },
  {
    title: __('Comments'),
    paragraphs: [
      __(
        'When visitors leave comments, we store what they enter in the form, their IP address, and the name of their browser, to detect spam.',
      ),
      __(
        'If visitors agree, their name, email address, and website are stored in cookies for a year, so that they need not enter them again.',
      ),
    ],
  },
  {
    title: __('Accounts'),
    paragraphs: [
      __(
        'For users with an account, we store the information in their profile, and when and from which network they logged in. A cookie keeps them logged in.',
      ),
    ],
  },
  {
    title: __('Emails'),
    paragraphs: [
      __('For 30 days, we keep a log of the emails that we send, so that we can find out why one did not arrive.'),
    ],
  },
  {
    title: __('Embedded content'),
    paragraphs: [
      __(
        'Posts may include content from other sites, such as videos. It is loaded when you select it; the other site may then collect data about you.',
      ),
    ],
  },
  {
    title: __('Your rights'),
    paragraphs: [
      __(
        'You can ask us for a file with the personal data that we store about you, or ask us to erase that data. This does not include data that we must keep for legal or security reasons.',
      ),
    ],
  },
]

/** The suggested text, in the language of the site: WordPress's `WP_Privacy_Policy_Content`. */
export const policyText = async (hooks: Hooks, textsFor: TextsFor): Promise<readonly PolicySection[]> =>
  hooks.applyFiltersAsync('wp_add_privacy_policy_content', ownSections(await textsFor()))

/** Finds the privacy policy, if its page is published; WordPress's `get_privacy_policy_url`. */
export function createPolicy(content: Pick<Content, 'posts' | 'link' | 'renderTitle'>, pageId: () => number): Policy {
  return {
    pageId,
    async link() {
      const page = pageId() > 0 ? await content.posts.get(pageId()) : undefined
      return page?.status === 'publish'
        ? { url: content.link(page), title: plainText(content.renderTitle(page)) }
        : undefined
    },
  }
}
