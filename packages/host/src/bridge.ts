import { refusedHere } from "./cloud-refusal.ts";

const INSTEAD =
  "to follow a session from elsewhere, use the daemon (docs/guides/daemon.md), or the official package";

/** Always throws: in the official package it shows a local session on claude.ai. */
export const attachBridgeSession: () => never = refusedHere("attachBridgeSession()", INSTEAD);
export const createCodeSession: () => never = refusedHere("createCodeSession()", INSTEAD);
export const fetchRemoteCredentials: () => never = refusedHere("fetchRemoteCredentials()", INSTEAD);
export const isCreateSessionFailure: () => never = refusedHere("isCreateSessionFailure()", INSTEAD);
export const isCredentialsFailure: () => never = refusedHere("isCredentialsFailure()", INSTEAD);
export const isCredentialsRejection: () => never = refusedHere("isCredentialsRejection()", INSTEAD);
