import { BaseAnthropic } from "@anthropic-ai/sdk";

/**
 * The parts of the official client that we use: with its methods for every resource, which these omit, it is four times as large.
 */
export { APIError } from "@anthropic-ai/sdk";

/** The client searches the disk for profiles unless told that we provide our own credentials. */
export class OwnCredentials extends BaseAnthropic {
  protected override _shouldResolveDefaultCredentials(): boolean {
    return false;
  }
}
