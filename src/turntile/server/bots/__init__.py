"""Bots as opponents: behind NAT (remote), as web servers, as uploaded files; and Robot fight's own HTTP.

A bot is a player like others. What differs is how it is asked: `remote` ones read streams and
post moves by themselves; webhooks and uploads are asked by a driver of ours, on threads of its
own, never on the server's loop.
"""
