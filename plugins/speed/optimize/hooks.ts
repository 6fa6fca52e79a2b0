import { type FilterShapes, listOf, membersOf, oneOf, orNull } from 'pentad'

/** Which links browsers fetch beforehand, and when (https://developer.mozilla.org/docs/Web/API/Speculation_Rules_API). */
export interface SpeculationRules {
  readonly mode: 'prefetch' | 'prerender'
  readonly eagerness: 'conservative' | 'moderate' | 'eager'
}

declare module 'pentad' {
  interface Filters {
    /**
     * Hosts of font services: style sheets linked from there are copied to this site, with their fonts. In the
     * environment `local` a host of this machine may be among them (`127.0.0.1:8081`), and is then asked without TLS.
     * @param hosts host names, with the port where it is not the usual one
     * @since 0.1.0
     */
    speed_font_hosts: [hosts: readonly string[]]
    /**
     * How many pixels an image must have to be the one that visitors wait for; icons and avatars have less.
     * @param pixels width times height
     * @since 0.1.0
     */
    wp_min_priority_img_pixels: [pixels: number]
    /**
     * How many images and frames at the start of a page count as in view, so that they are not lazy.
     * @param count without icons and avatars
     * @since 0.1.0
     */
    wp_omit_loading_attr_threshold: [count: number]
    /**
     * How `<script type="speculationrules">` is set up; `null` leaves it out.
     * @param configuration what browsers do, and how soon
     * @since 0.1.0
     */
    wp_speculation_rules_configuration: [configuration: SpeculationRules | null]
    /**
     * Paths that browsers must not fetch beforehand.
     * @param paths URL patterns: `/cart/*`
     * @param mode `prefetch` or `prerender`
     * @since 0.1.0
     */
    wp_speculation_rules_href_exclude_paths: [paths: readonly string[], mode: 'prefetch' | 'prerender']
  }
}

/** What these filters may return at run time. */
export const filterShapes = {
  speed_font_hosts: listOf('string'),
  wp_min_priority_img_pixels: 'number',
  wp_omit_loading_attr_threshold: 'number',
  wp_speculation_rules_configuration: orNull(
    membersOf<SpeculationRules>(
      {},
      { mode: oneOf('prefetch', 'prerender'), eagerness: oneOf('conservative', 'moderate', 'eager') },
    ),
  ),
  wp_speculation_rules_href_exclude_paths: listOf('string'),
} satisfies FilterShapes
